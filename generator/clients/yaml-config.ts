// YAML as Goose and Continue have it. In: a string and an entry. Out: the text with lines for it, every other byte as it was.
import { yaml } from '../../schema/parse/yaml-value.js';
import { putYamlEntry, takeYamlEntry, type YamlEntry } from '../edit/edit-yaml.js';
import type { ConfigWriter, Target } from './config-edit.js';

export const yamlConfig: ConfigWriter = {
  format: 'yaml',
  read(text) {
    const documents = yaml().parseAllDocuments(text, { prettyErrors: false });
    const list = Array.isArray(documents) ? documents : [];
    if (list.length > 1) return { problem: 'it has several documents' };
    const [document] = list;
    const [error] = document?.errors ?? [];
    if (error !== undefined) {
      const before = text.slice(0, error.pos[0]);
      const line = before.split('\n').length;
      return { problem: 'it is not valid YAML', line, column: before.length - before.lastIndexOf('\n') };
    }
    return { value: (document?.toJS() as unknown) ?? {} };
  },
  put: (text, target, entry, start) => putYamlEntry(text, toYaml(target), entry, start),
  take: (text, target) => takeYamlEntry(text, toYaml(target)),
};

function toYaml({ path: [key = ''], holds, name }: Target): YamlEntry {
  return { key, holds, name };
}
