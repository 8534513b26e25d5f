"use strict";
// Comfort only: the page is complete without it.
for (const label of document.querySelectorAll(".find")) {
  label.hidden = false;
  const table = label.closest(".cases").querySelector("tbody");
  const rows = Array.from(table.rows, (row) => [row, row.textContent.toLowerCase()]);
  label.querySelector("input").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const [row, text] of rows) row.hidden = !words.every((word) => text.includes(word));
  });
}
for (const code of document.querySelectorAll(".command")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy";
  button.setAttribute("aria-label", "Copy " + code.textContent);
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(code.textContent).then(() => {
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
  });
  code.after(button);
}
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const trials = target ? Array.from(target.querySelectorAll("details.trial")) : [];
  if (trials.length && !trials.some((trial) => trial.open)) trials[0].open = true;
};
addEventListener("hashchange", open);
open();
