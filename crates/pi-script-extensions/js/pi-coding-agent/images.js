// Images made small enough to send, or fit for terminals.
import { open } from "node:fs/promises";

import { host } from "script:host";

export const resizeImage = (bytes, mimeType, options) => host.async("image.fit", bytes, mimeType, options);

export async function convertToPng(data, mimeType) {
  return mimeType === "image/png" ? { data, mimeType } : host.async("image.toPng", data);
}

const SIGNATURES = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];

// What the first bytes of a file say that it is, of what models take; else null.
export async function detectSupportedImageMimeTypeFromFile(path) {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.subarray(0, bytesRead).toString("latin1");
    return SIGNATURES.find(([, signature]) => signature.test(head))?.[0] ?? null;
  } finally {
    await file.close();
  }
}
