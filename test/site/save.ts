import { renameSync, writeFileSync } from 'node:fs'

/** Replaces a file by another one, as most editors and git save it. */
export function save(file: string, text: string): void {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
