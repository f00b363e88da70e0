import { stop } from 'esbuild'
import { buildKit } from './build/build-kit'

/** Builds the site folder once. It runs in a process of its own, so that a large site delays nothing else. */
const [, , folder = '', output = '', runtime = '', packages = ''] = process.argv
const outcome = await buildKit({ folder, output, runtime, packages })
process.stdout.write(JSON.stringify(outcome))
await stop()
