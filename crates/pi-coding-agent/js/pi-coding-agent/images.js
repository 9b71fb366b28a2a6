// Images made small enough to send, or fit for terminals.
import { host } from "script:host";

export const resizeImage = (bytes, mimeType, options) => host.async("image.fit", bytes, mimeType, options);

export async function convertToPng(data, mimeType) {
  return mimeType === "image/png" ? { data, mimeType } : host.async("image.toPng", data);
}
