import { readSecretFile, SettingFileError } from '../tls/tls-source.js';

/** A secret that is read when it is needed: of `setting` itself, or of the file that its `…File` names. */
export const secret =
  (setting: string, text: string | undefined, file: string | undefined): (() => string) =>
  () => {
    if (file !== undefined) return readSecretFile(`${setting}File`, file);
    if (text !== undefined) return text;
    throw new SettingFileError(setting, `neither it nor ${setting}File is set`);
  };
