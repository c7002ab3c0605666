// The language in one place. Out: every definition by name; `#/definitions/<name>` points among them.
import { backendDefinitions } from './backends.js';
import { execDefinitions } from './exec.js';
import { addFacts } from './facts.js';
import { jsonSchemaDefinitions } from './keywords.js';
import { overlayDefinitions } from './overlay.js';
import { packDefinitions } from './pack.js';
import { parameterDefinitions } from './parameter.js';
import { promptDefinitions } from './prompt.js';
import { resourceDefinitions } from './resource.js';
import { serverDefinitions } from './server.js';
import type { Fields } from './shape.js';
import { toolDefinitions } from './tool.js';
import { traitDefinitions } from './traits.js';

export const definitions: Fields = addFacts({
  ...packDefinitions,
  ...serverDefinitions,
  ...toolDefinitions,
  ...promptDefinitions,
  ...resourceDefinitions,
  ...overlayDefinitions,
  ...parameterDefinitions,
  ...jsonSchemaDefinitions,
  ...traitDefinitions,
  ...execDefinitions,
  ...backendDefinitions,
});
