// The names of the seats, asked in a dialog.

// Ask for the names; return them in the seats' order, or null where nothing is to change.
export function askNames(dialog, place, names, seats) {
  place.replaceChildren(...names.map((name, seat) => field(name, seat, seats[seat]?.side ?? seat)));
  dialog.showModal();
  place.querySelector("input")?.select();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        const names = [...place.querySelectorAll("input")].map((input) => input.value);
        resolve(dialog.returnValue === "keep" ? names : null);
        dialog.returnValue = "";
      },
      { once: true },
    );
  });
}

function field(name, seat, side) {
  const label = document.createElement("label");
  label.dataset.side = side;
  const input = document.createElement("input");
  input.value = name;
  input.maxLength = 40;
  input.autocomplete = "off";
  input.name = `seat-${seat}`;
  label.append(`Seat ${seat + 1}`, input);
  return label;
}
