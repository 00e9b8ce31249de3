// Buttons that fill in the text field before them, or put words into its list.

for (const template of document.querySelectorAll("template.picks")) {
  const keys = template.content.firstElementChild.cloneNode(true);
  const field = document.getElementById(template.dataset.field);
  const many = template.hasAttribute("data-many");
  const chosen = () => (many ? field.value.split(",") : [field.value]).map((word) => word.trim()).filter(Boolean);
  const draw = () => {
    for (const key of keys.children) key.setAttribute("aria-pressed", String(chosen().includes(key.dataset.pick)));
  };
  template.before(keys);
  keys.addEventListener("click", (event) => {
    const pick = event.target.closest("button")?.dataset.pick;
    if (!pick) return;
    const kept = chosen().filter((word) => word !== pick);
    field.value = many ? (chosen().includes(pick) ? kept : [...kept, pick]).join(", ") : pick;
    draw();
  });
  field.addEventListener("input", draw);
  draw();
}
