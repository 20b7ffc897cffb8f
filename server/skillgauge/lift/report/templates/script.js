"use strict";
/* The page is whole without this; it adds buttons, and opens the case that a link names. */
(() => {
  const cases = () => document.querySelectorAll("details.case");
  const buttons = document.getElementById("buttons");
  if (buttons) {
    buttons.hidden = false;
    buttons.addEventListener("click", (event) => {
      const wish = event.target.dataset && event.target.dataset.open;
      if (wish) cases().forEach((one) => { one.open = wish === "yes"; });
    });
  }
  const reveal = () => {
    const place = location.hash && document.getElementById(location.hash.slice(1));
    const around = place && place.closest("details.case");
    if (around) {
      around.open = true;
      place.scrollIntoView();
    }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
