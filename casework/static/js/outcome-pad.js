// The result pad: contract, declarer, tricks and share by taps. The text fields stay the truth; the pad reads and writes them.

const READ = /^([1-7])?\s*(♣|♦|♥|♠|NT)?\s*(XX|X)?\s*([NÖSVEW])?\s*(=|[+−–-]\d{1,2})?$/;
const PARTS = ["level", "strain", "risk", "seat", "tricks"];

const template = document.getElementById("outcome-pad");
if (template) for (const field of document.querySelectorAll("[data-outcome]")) start(field);

function start(field) {
  const pad = template.content.firstElementChild.cloneNode(true);
  const row = field.closest(".side-by-side") ?? field.closest(".field");
  const share = row.querySelector("[data-share]");
  const table = document.getElementById(template.dataset.table);
  const label = row.querySelector("label").textContent.trim();
  const all = (selector) => [...pad.querySelectorAll(selector)];

  pad.querySelector("summary").textContent = template.dataset.summary.replace("{field}", label);
  pad.querySelector("[data-shares]").hidden = !share;
  pad.querySelector("[data-as-table]").hidden = field === table;
  row.after(pad);
  pad.addEventListener("click", (event) => press(event.target.closest("button")));
  pad.addEventListener("toggle", draw);
  for (const each of [field, share]) each?.addEventListener("input", draw);
  draw();

  function press(key) {
    if (!key) return;
    const { part, value, percent } = key.dataset;
    if (part) {
      const said = read() ?? {};
      said[part] = said[part] === value && part !== "level" ? "" : value;
      field.value = written(said);
    } else if (key.hasAttribute("data-as-table")) field.value = table.value;
    else if (key.hasAttribute("data-passed")) field.value = "Pass";
    else if (percent) share.value = percent;
    else if (key.hasAttribute("data-rest")) share.value = rest();
    draw();
  }

  function read() {
    const found = READ.exec(field.value.replace(/[\ufe0e\ufe0f]/gu, "").trim().toUpperCase());
    return found && Object.fromEntries(PARTS.map((part, index) => [part, plain(found[index + 1] ?? "")]));
  }

  function rest() {
    const left = others().reduce((sum, each) => sum - each, 100);
    return left > 0 ? shown(left) : "";
  }

  function others() {
    const shares = [...row.parentElement.querySelectorAll("[data-share]")].filter((each) => each !== share);
    return shares.map((each) => Number(each.value.replace(",", ".").replace("%", "")) || 0);
  }

  function shown(number) {
    const plain = String(Math.round(number * 10_000) / 10_000);
    return document.documentElement.lang === "sv" ? plain.replace(".", ",") : plain;
  }

  function draw() {
    const said = read() ?? {};
    for (const key of all("[data-part]")) pressed(key, said[key.dataset.part] === key.dataset.value);
    for (const key of all("[data-percent]")) pressed(key, share?.value === key.dataset.percent);
    pressed(pad.querySelector("[data-passed]"), field.value.trim() === "Pass");
  }
}

function plain(part) {
  return part.replace(/[–-]/, "−");
}

function pressed(key, on) {
  key.setAttribute("aria-pressed", String(Boolean(on)));
}

function written({ level = "", strain = "", risk = "", seat = "", tricks = "" }) {
  return [level + strain + risk, seat, tricks].filter(Boolean).join(" ");
}
