import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compress } from './prepare.js'

// Compresses the pages behind a Tilth that has started already: `compressLater` in prepare.js.

process.once('disconnect', () => process.exit())
setPriority(constants.priority.PRIORITY_LOW)
await compress(join(dirname(fileURLToPath(import.meta.url)), '..'))
process.disconnect()
