// Buttons that fill in the text field before them.

for (const template of document.querySelectorAll("template.picks")) {
  const keys = template.content.firstElementChild.cloneNode(true);
  const field = document.getElementById(template.dataset.field);
  const draw = () => {
    for (const key of keys.children) key.setAttribute("aria-pressed", String(key.dataset.pick === field.value.trim()));
  };
  template.before(keys);
  keys.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (key) field.value = key.dataset.pick;
    draw();
  });
  field.addEventListener("input", draw);
  draw();
}
