import { tmpdir } from 'node:os'

/** The folder for data folders of tests: in memory, where `npm test` found room for them. */
export const dataFolders = process.env['TEST_DATA_FOLDERS'] ?? tmpdir()
