import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { guardNetwork } from './network-guard'
import { applyPostcss } from './postcss'
import { StyleError } from './style-error'
import { isTailwind, TailwindCompiler } from './tailwind'
import type { StyleReply, StyleRequest } from '../build/style-sheets'

/**
 * Compiles style sheets of a site folder by the packages that the folder brings. They are code of the team, so that this
 * is a process of its own: it reads the folder and its own program, writes nothing and connects to nothing.
 */
const [, , folder = ''] = process.argv
const compiler = new TailwindCompiler(folder)

guardNetwork({ reachesInternet: false, hosts: [], networks: [], closed: [] })
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (request: StyleRequest) => void answer(request))

async function answer({ file, files, postcssConfig }: StyleRequest): Promise<void> {
  try {
    const path = join(folder, file)
    const written = readFileSync(path, 'utf8')
    const css =
      postcssConfig === undefined ? written : await applyPostcss(written, path, { folder, postcssConfig })
    const compiled = isTailwind(css) ? await compiler.compile(css, { path, base: dirname(path), files }) : css
    reply({ css: compiled })
  } catch (problem) {
    const { message, place = { file } } = StyleError.of(problem)
    reply({ problem: { message, ...place } })
  }
}

const reply = (message: StyleReply): void => void process.send?.(message)
