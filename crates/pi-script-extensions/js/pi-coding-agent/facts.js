// Constants and paths.
import { host } from "script:host";

const paths = () => host.sync("paths.get");

export const VERSION = paths().version;
export const CONFIG_DIR_NAME = ".pi";
export const CURRENT_SESSION_VERSION = 3;
export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES = 50 * 1024;
export const DEFAULT_COMPACTION_SETTINGS = { enabled: true, reserveTokens: 16384, keepRecentTokens: 20000 };

export const getAgentDir = () => paths().agentDir;
export const getPackageDir = () => paths().packageDir;
export const getReadmePath = () => `${getPackageDir()}/README.md`;
export const getDocsPath = () => `${getPackageDir()}/docs`;
export const getExamplesPath = () => `${getPackageDir()}/examples`;
