// Files that people choose, as the server takes them.

/** With its name, by which the server knows its format. */
export async function dataUrlOf(file: File): Promise<string> {
  return `data:${file.type};name:${encodeURIComponent(file.name)};base64,${await base64Of(file)}`;
}

export async function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
