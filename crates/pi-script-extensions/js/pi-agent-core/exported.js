// What the paths of `pi-agent-core` export.
import { exporter } from "pi:bridge/lazy";
import { uuidv7 } from "pi:ai/later";
import * as main from "pi:agent-core/main";
import { createBashTool, createEditTool, createReadTool, createWriteTool } from "pi:coding-agent/tools";

export const exported = exporter({ ...main, uuidv7, createBashTool, createEditTool, createReadTool, createWriteTool });
