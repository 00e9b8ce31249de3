// The card pad: a tapped card goes to the chosen hand. The text fields stay the truth; the pad reads and writes them.

const SEATS = "NESW";
const SUITS = "SHDC";
const RANKS = "AKQJT98765432";
const LABEL =
  /(spades|spader|spade|sp|♠|♤|hearts|hjärter|heart|hj|♥|♡|diamonds|diamond|ruter|ru|♦|♢|clubs|klöver|club|kl|♣|♧)\s*:?|([shdrck])\s*:/giu;
const SUIT_OF = { s: "S", "♠": "S", "♤": "S", h: "H", "♥": "H", "♡": "H", d: "D", r: "D", "♦": "D", "♢": "D",
  c: "C", k: "C", "♣": "C", "♧": "C" };
const WRITTEN = { e: "A", d: "Q", kn: "J", 10: "T" };

const template = document.getElementById("card-pad");
if (template) start(template);

function start(template) {
  const pad = template.content.firstElementChild.cloneNode(true);
  const field = Object.fromEntries([...SEATS].map((seat) => [seat, document.getElementById(template.dataset[seat.toLowerCase()])]));
  const partial = document.getElementById(template.dataset.partial);
  const names = Object.fromEntries([...pad.querySelectorAll("[data-rank]")].map((key) => [key.dataset.rank, key.textContent]));
  const all = (selector) => [...pad.querySelectorAll(selector)];
  const undone = [];
  let seat = "N";
  let suit = "S";
  let hands = {};
  let rest = new Set(); // given to the fourth hand by the pad: a thumb that goes on tapping them takes none away

  const texts = pad.querySelector("[data-text]");
  template.before(pad);
  for (const one of Object.values(field)) texts.append(one.closest(".field"));
  texts.open = Boolean(texts.querySelector(".field-wrong"));
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (key?.dataset.seat) {
      seat = key.dataset.seat;
      rest.clear();
    }
    else if (key?.dataset.suit) suit = key.dataset.suit;
    else if (key?.dataset.rank) tap(suit + key.dataset.rank);
    else if (key?.hasAttribute("data-undo")) undo();
    else return;
    draw();
  });
  texts.addEventListener("input", draw);
  draw();

  function tap(card) {
    const holder = [...SEATS].find((other) => hands[other]?.includes(card));
    const mine = hands[seat];
    if (!mine || (holder && !hands[holder])) return;
    if (holder === seat && rest.delete(card)) return say("given", card);
    if (holder !== seat && mine.length >= 13) return say("full", card);
    undone.push(Object.values(field).map((each) => each.value));
    if (holder) put(holder, hands[holder].filter((held) => held !== card));
    if (holder === seat) return say("back", card);
    put(seat, [...hands[seat], card]);
    say("given", card);
    if (hands[seat].length === 13) onward();
  }

  function onward() {
    const short = [...SEATS].filter((each) => hands[each] && hands[each].length < 13);
    const held = Object.values(hands).flatMap((cards) => cards ?? []);
    if (short.length === 1 && !partial.checked && Object.values(hands).every(Boolean)) {
      seat = short[0];
      rest = new Set([...SUITS].flatMap((s) => [...RANKS].map((r) => s + r)).filter((card) => !held.includes(card)));
      put(seat, [...hands[seat], ...rest]);
      say("rest");
    } else if (short.length) {
      seat = short.find((each) => SEATS.indexOf(each) > SEATS.indexOf(seat)) ?? short[0];
    }
    suit = "S";
  }

  function undo() {
    const before = undone.pop();
    rest.clear();
    if (before) Object.values(field).forEach((each, index) => (each.value = before[index]));
    pad.querySelector("[data-say]").textContent = "";
  }

  function put(where, cards) {
    hands[where] = cards;
    field[where].value = [...SUITS].map((s) => ranksOf(cards, s).map((rank) => names[rank]).join(" ") || "–").join(" / ");
  }

  function say(what, card) {
    const place = pad.querySelector("[data-say]");
    place.textContent = "";
    const words = template.dataset[what].split(/(\{\w+\})/);
    const parts = { "{seat}": () => nameOf(seat), "{number}": () => String(hands[seat].length), "{card}": () => signed(card) };
    place.append(...words.map((part) => parts[part]?.() ?? part));
  }

  function signed(card) {
    const both = document.createDocumentFragment();
    both.append(pad.querySelector(`.keys .suit-${card[0].toLowerCase()}`).cloneNode(true), names[card[1]]);
    return both;
  }

  function nameOf(which) {
    return pad.querySelector(`[data-seat="${which}"] [data-name]`).textContent;
  }

  function draw() {
    hands = Object.fromEntries([...SEATS].map((each) => [each, parse(field[each].value)]));
    pad.querySelector("[data-unread]").hidden = Object.values(hands).every(Boolean);
    for (const key of all("[data-seat]")) {
      const cards = hands[key.dataset.seat];
      key.setAttribute("aria-pressed", String(key.dataset.seat === seat));
      key.querySelector("[data-count]").textContent = cards ? cards.length : "?";
    }
    for (const key of all("[data-suit]")) key.setAttribute("aria-pressed", String(key.dataset.suit === suit));
    for (const key of all("[data-rank]")) {
      const holder = [...SEATS].find((each) => hands[each]?.includes(suit + key.dataset.rank));
      key.setAttribute("aria-pressed", String(holder === seat));
      key.classList.toggle("key-odd", Boolean(holder) && holder !== seat);
      key.replaceChildren(names[key.dataset.rank]);
      if (holder && holder !== seat) {
        const where = document.createElement("small");
        where.append(pad.querySelector(`[data-seat="${holder}"] [data-letter]`).textContent);
        key.append(where);
      }
    }
    for (const each of SEATS) {
      const rows = all(`.hand-${each.toLowerCase()} td > span:last-child`);
      rows.forEach((row, index) => {
        const cards = hands[each] ?? [];
        const ranks = ranksOf(cards, SUITS[index]).map((rank) => names[rank]).join(" ");
        row.textContent = ranks || (cards.length ? "–" : "");
      });
    }
    pad.querySelector("[data-undo]").hidden = !undone.length;
  }
}

function ranksOf(cards, suit) {
  return [...RANKS].filter((rank) => cards.includes(suit + rank));
}

/** The cards of a text field, [] when it is empty, null where only the server can judge: unreadable, or a card twice. */
export function parse(typed) {
  const plain = typed.replace(/[\ufe0e\ufe0f]/g, "").toLowerCase().trim();
  if (!plain) return [];
  const labels = [...plain.matchAll(LABEL)];
  const parts = {};
  if (labels.length) {
    if (plain.slice(0, labels[0].index).trim()) return null;
    for (const [index, label] of labels.entries()) {
      const suit = SUIT_OF[(label[1] ?? label[2])[0]];
      if (suit in parts) return null;
      parts[suit] = plain.slice(label.index + label[0].length, labels[index + 1]?.index);
    }
  } else {
    const split = plain.split(/[./;\n]/);
    if (split.length === 1 || split.length > 4) return null;
    [...SUITS].forEach((suit, index) => (parts[suit] = split[index] ?? ""));
  }
  const cards = [];
  for (const [suit, text] of Object.entries(parts)) {
    const rest = text.replace(/[\s,]+/g, " ").replace(/^[ \-–—]+|[ \-–—]+$/g, "");
    const ranks = rest.match(/10|kn|[aekdqjt2-9]|\S/g) ?? [];
    for (const rank of ranks) {
      const canonical = WRITTEN[rank] ?? rank.toUpperCase();
      if (!RANKS.includes(canonical) || cards.includes(suit + canonical)) return null;
      cards.push(suit + canonical);
    }
  }
  return cards;
}
