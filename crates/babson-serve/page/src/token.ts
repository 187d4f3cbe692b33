// Asks for the token of a server.

/** Opens a dialog for the token. Several requests that want one share the dialog. */
let open: Promise<string | null> | null = null;

export function askToken(again: boolean): Promise<string | null> {
  open ??= ask(again).finally(() => (open = null));
  return open;
}

function ask(again: boolean): Promise<string | null> {
  const dialog = document.createElement("dialog");
  dialog.className = "token";
  dialog.setAttribute("aria-labelledby", "token-title");
  const form = document.createElement("form");
  form.method = "dialog";
  const title = document.createElement("h2");
  title.id = "token-title";
  title.textContent = again ? "The server does not know this token" : "This server wants a token";
  const label = document.createElement("label");
  label.textContent = "Token";
  const input = document.createElement("input");
  input.type = "password";
  input.autocomplete = "current-password";
  input.required = true;
  label.append(input);
  const button = document.createElement("button");
  button.textContent = "Sign in";
  form.append(title, label, button);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(input.value.trim() || null);
    });
  });
}
