import { tmpdir } from 'node:os'

/** Where data folders of tests are made: in memory, where `npm test` found room for them. */
export const dataFolders = process.env['TEST_DATA_FOLDERS'] ?? tmpdir()
