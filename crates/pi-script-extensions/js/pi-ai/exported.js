// What the paths of `pi-ai` export.
import { exporter } from "pi:bridge/lazy";
import { streamOf } from "pi:ai/calls";
import * as later from "pi:ai/later";
import * as main from "pi:ai/main";
import * as oauth from "pi:ai/oauth";

export const exported = exporter({ ...main, ...oauth, ...later }, (path, name) => {
  const [, kind, id] = /^pi-ai\/(api|providers)\/(.+)$/.exec(path) ?? [];
  if (kind === "api" && (name === "stream" || name === "streamSimple")) return streamOf(id);
  if (kind === "providers" && name.endsWith("_MODELS")) return modelsOf(id.replace(/\.models$/, ""));
  if (kind === "providers" && name.endsWith("Provider") && name !== "fauxProvider") return () => later.builtinProvider(id);
  return undefined;
});

const modelsOf = (provider) => Object.fromEntries(main.getModels(provider).map((model) => [model.id, model]));
