// What `pi-coding-agent` has since 0.80.
import { lazy } from "pi:bridge/lazy";

export const ModelRuntime = lazy("pi:coding-agent/model_runtime", "ModelRuntime");
export const detectSupportedImageMimeTypeFromFile = lazy("pi:coding-agent/images", "detectSupportedImageMimeTypeFromFile");

// Credentials were changed by somebody else in between.
export class CredentialSynchronizationError extends Error {}

const storage = lazy("pi:coding-agent/auth", "AuthStorage");
export const readStoredCredential = (provider, path) => storage.create(path).get(provider);
export const isPowerShellToolResult = ({ toolName }) => toolName === "powershell";

// The messages that the model reads of one entry.
export function sessionEntryToContextMessages(entry) {
  const { type, summary } = entry;
  const timestamp = Date.parse(entry.timestamp);
  if (type === "message") return [entry.message];
  if (type === "custom_message") {
    const { customType, content, display, details } = entry;
    return [{ role: "custom", customType, content, display, details, timestamp }];
  }
  if (type === "compaction") return [{ role: "compactionSummary", summary, tokensBefore: entry.tokensBefore, timestamp }];
  if (type === "branch_summary") return [{ role: "branchSummary", summary, fromId: entry.fromId, timestamp }];
  return [];
}
