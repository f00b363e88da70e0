import { KitBuilder } from './build/build-kit'
import { exitWithParent } from '#processes/parent'
import type { BuildReply } from './build-process'

/** Builds the site folder each time it is told to. It runs in a process of its own, so that a large site delays nothing else. */
const [, , folder = '', output = '', runtime = '', packages = ''] = process.argv
const isDev = process.env['NODE_ENV'] === 'development'
const builder = new KitBuilder({ folder, output, runtime, packages, isDev })

async function build(): Promise<void> {
  const outcome = await builder.build()
  process.send?.({ outcome, memoryBytes: process.memoryUsage.rss() } satisfies BuildReply)
}

exitWithParent()
process.on('message', () => void build())
