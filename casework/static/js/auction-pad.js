// The bidding pad: two taps a bid, marks for the last call. The text field stays the truth; the pad reads and writes it.

import { COLUMNS, allowed, contract, plain, read, seated, shown, write } from "./auction.js";

const KEYS = { c: "C", k: "C", d: "D", r: "D", h: "H", s: "S", n: "N" };

const template = document.getElementById("auction-pad");
if (template) start(template);

function start(template) {
  const words = template.dataset;
  const swedish = document.documentElement.lang === "sv";
  const pad = template.content.firstElementChild.cloneNode(true);
  const field = document.getElementById(words.field);
  const dealer = document.getElementById(words.dealer);
  const one = (selector) => pad.querySelector(selector);
  const all = (selector) => [...pad.querySelectorAll(selector)];
  let calls = [];
  let level = null;
  let by = null;

  const texts = one("[data-text]");
  template.before(pad);
  texts.append(field.closest("[data-written]"));
  texts.open = Boolean(texts.querySelector(".field-wrong"));
  field.addEventListener("input", reread);
  dealer.addEventListener("change", reread);
  pad.addEventListener("click", (event) => press(event.target.closest("button")));
  pad.addEventListener("input", (event) => event.target.dataset.part && fillIn());
  pad.addEventListener("keydown", typed);
  reread();

  function reread() {
    calls = read(field.value, dealer.value);
    draw();
  }

  function press(key) {
    const { call, level: number, strain, by: seat, mark, seconds, disputed } = key?.dataset ?? {};
    if (call) add(call);
    else if (number) level = level === number ? null : number;
    else if (strain && level) add(level + strain);
    else if (strain) say(words.first);
    else if (seat) by = by === seat ? null : seat;
    else if (mark) toggle(mark, calls.at(-1));
    else if (seconds) change((last) => (last.pause = { ...last.pause, seconds: Number(seconds) }));
    else if (disputed) change((last) => (last.pause = { ...last.pause, disputed: disputed === "true" }));
    else if (key?.hasAttribute("data-undo")) change(() => calls.pop());
    else return;
    draw();
  }

  function typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
    const key = event.key.toLowerCase();
    const wanted =
      { p: '[data-call="P"]', x: '[data-call="X"]', backspace: "[data-undo]" }[key] ??
      (/^[1-7]$/.test(key) ? `[data-level="${key}"]` : KEYS[key] && `[data-strain="${KEYS[key]}"]`);
    if (!wanted || texts.contains(event.target)) return;
    event.preventDefault();
    press(one(wanted));
  }

  function add(call) {
    const { standing, turn } = seated(calls, dealer.value);
    const seat = by ?? turn;
    const legal = seat === turn && allowed(standing, seat, call);
    calls.push({ ...plain(call), by: seat === turn ? null : seat });
    level = by = null;
    for (const panel of all("[data-panel]")) panel.hidden = true;
    keep();
    say(legal ? words.said : words.odd, seat, call);
    if (!legal) document.getElementById(words.reason).open = true;
  }

  function toggle(mark, last) {
    const panel = one(`[data-panel="${mark}"]`);
    if (mark === "alert") last.alert = !last.alert;
    else if (mark === "withdrawn") {
      last.withdrawn = !last.withdrawn;
      if (last.withdrawn) document.getElementById(words.reason).open = true;
    } else if (mark === "pause") {
      last.pause = last.pause ? null : { seconds: null, disputed: false };
      panel.hidden = !last.pause;
    } else panel.hidden = !panel.hidden;
    if (mark === "words" && !panel.hidden) showWords(last);
    keep();
  }

  function change(how) {
    how(calls.at(-1));
    keep();
  }

  function showWords(last) {
    const heard = last.explained.at(-1) ?? { text: last.explanation };
    for (const part of all("[data-part]")) part.value = heard[part.dataset.part] ?? "";
  }

  function fillIn() {
    const { text, by, to, screen } = Object.fromEntries(all("[data-part]").map((part) => [part.dataset.part, part.value]));
    const last = calls.at(-1);
    const named = by || to || screen;
    last.explained = last.explained.slice(0, -1);
    if (named && text.trim()) last.explained.push({ text, by: by || null, to: to || null, screen: screen || null });
    last.explanation = named ? "" : text;
    keep();
    draw();
  }

  function keep() {
    field.value = write(calls, swedish);
  }

  function say(sentence, seat, call) {
    one("[data-say]").replaceChildren(filled(sentence, seat, call));
  }

  function filled(sentence, seat, call, detail) {
    const made = document.createDocumentFragment();
    const plain = () => String(detail);
    const parts = { "{seat}": () => strong(nameOf(seat)), "{call}": () => strong(drawn(call)), "{number}": plain, "{text}": plain };
    made.append(...sentence.split(/(\{\w+\})/).map((part) => parts[part]?.() ?? part));
    return made;
  }

  function strong(content) {
    return element("b", "", content);
  }

  function element(tag, kind, ...content) {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    made.append(...content);
    return made;
  }

  function drawn(call) {
    const made = document.createDocumentFragment();
    for (const sign of shown(call)) {
      const suit = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" }[sign];
      made.append(suit ? one(`[data-strain="${suit}"] .suit`).cloneNode(true) : sign);
    }
    return made;
  }

  function nameOf(seat) {
    return one(`[data-by="${seat}"]`).textContent.trim();
  }

  function draw() {
    one("[data-unread]").hidden = calls !== null;
    one("[data-keys]").hidden = calls === null;
    if (calls === null) return;
    const { all: made, standing, turn, over } = seated(calls, dealer.value);
    const seat = by ?? turn;
    const last = calls.at(-1);
    table(made, turn, over);
    if (over && one("[data-open]").contains(document.activeElement)) one("[data-undo]").focus();
    one("[data-open]").hidden = over;
    one("[data-done]").hidden = !over;
    if (over) finished(standing);
    one("[data-turn]").replaceChildren(filled(words.turn, seat));
    one("[data-undo]").hidden = one("[data-marks]").hidden = !last;
    if (!last) for (const panel of all("[data-panel]")) panel.hidden = true;
    const on = { alert: last?.alert, pause: last?.pause, words: last?.explanation || last?.explained.length, withdrawn: last?.withdrawn };
    for (const key of all("[data-mark]")) pressed(key, on[key.dataset.mark]);
    for (const key of all("[data-seconds]")) pressed(key, last?.pause?.seconds === Number(key.dataset.seconds));
    for (const key of all("[data-disputed]")) pressed(key, String(last?.pause?.disputed) === key.dataset.disputed);
    for (const key of all("[data-by]")) pressed(key, key.dataset.by === by);
    const odd = (key, call) => key.classList.toggle("key-odd", !allowed(standing, seat, call));
    for (const key of all("[data-call]")) odd(key, key.dataset.call);
    for (const key of all("[data-level]")) {
      pressed(key, key.dataset.level === level);
      odd(key, `${key.dataset.level}N`);
    }
    for (const key of all("[data-strain]")) odd(key, (level ?? "7") + key.dataset.strain);
  }

  function pressed(key, on) {
    key.setAttribute("aria-pressed", String(Boolean(on)));
  }

  function finished(standing) {
    const given = contract(standing);
    const place = one("[data-contract]");
    place.replaceChildren(given ? filled(words.contract, given.declarer, given.call) : words.passed);
    if (given) place.querySelector("b").append(given.risk);
  }

  function table(made, turn, over) {
    const notes = [];
    let at = COLUMNS.indexOf(dealer.value);
    const cells = Array.from({ length: at }, () => element("td", "quiet", "–"));
    const cellAt = (index) => {
      while (cells.length <= index) cells.push(document.createElement("td"));
      return cells[index];
    };
    const place = (seat) => at + ((COLUMNS.indexOf(seat) - at + 4) % 4);
    for (const call of made) {
      const cell = cellAt(place(call.seat));
      const note = noteOn(call);
      const text = element("span", call.call === "P" ? "" : "bid", call.withdrawn ? element("s", "", drawn(call.call)) : drawn(call.call));
      if (note) text.append(element("sup", "", String(notes.push(note))));
      if (cell.childNodes.length) cell.append(" ");
      cell.append(text);
      if (call.pause) cell.classList.add("marked");
      if (!call.legal) cell.classList.add("irregular");
      if (!call.withdrawn) at = place(call.seat) + 1;
    }
    if (!over) {
      const waits = cellAt(place(turn));
      waits.className = "waiting";
      waits.append(element("span", "", "?"));
    }
    while (cells.length % 4) cells.push(document.createElement("td"));
    const rows = cells.map((_, index) => index).filter((index) => index % 4 === 0);
    one(".auction tbody").replaceChildren(...rows.map((index) => element("tr", "", ...cells.slice(index, index + 4))));
    one("[data-notes]").replaceChildren(...notes.map((note) => element("li", "", element("span", "", note))));
  }

  function noteOn(call) {
    const parts = [];
    if (call.pause) {
      const kind = (call.pause.seconds ? "pause" : "someTime") + (call.pause.disputed ? "Disputed" : "");
      parts.push(filled(words[kind], call.seat, call.call, call.pause.seconds));
    }
    if (call.alert) parts.push(words.alerted);
    const quoted = (text) => filled(words.quoted, call.seat, call.call, text);
    if (call.explanation) parts.push(quoted(call.explanation));
    for (const { by: who, to, screen, text } of call.explained) {
      const from = [who, to].filter(Boolean).map(nameOf).join(" → ");
      const side = screen && [...screen].map(nameOf).join("–");
      parts.push(`${[from, side].filter(Boolean).join(", ")}:`, quoted(text));
    }
    if (call.withdrawn) parts.push(words.withdrawn);
    else if (!call.legal) parts.push(words.irregular);
    if (!parts.length) return null;
    const note = document.createDocumentFragment();
    for (const part of parts) note.append(part, " ");
    return note;
  }
}
