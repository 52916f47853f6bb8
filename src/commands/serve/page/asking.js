// A yes-or-no question.

import { byId } from "./elements.js";

/** Asks a question, and returns whether the answer is yes. */
export function confirmed(question) {
  const dialog = byId("ask-dialog");
  byId("ask-text").textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}
