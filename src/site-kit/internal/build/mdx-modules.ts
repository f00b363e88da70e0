import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'
import { compileMdx, MdxError } from '#posts/mdx'

interface CompiledMdx {
  text: string
  contents: string
}

/** Compiles posts and pages in MDX with the Markdown of posts. A build that is repeated compiles those that changed. */
export const mdxModules = (): Plugin => ({
  name: 'mdx-modules',
  setup(build) {
    const compiled = new Map<string, CompiledMdx>()
    build.onLoad({ filter: /\.mdx$/ }, async ({ path }) => {
      try {
        const text = readFileSync(path, 'utf8')
        const known = compiled.get(path)
        const contents = known?.text === text ? known.contents : await compileMdx(text)
        compiled.set(path, { text, contents })
        return { contents, loader: 'jsx' }
      } catch (problem) {
        if (!(problem instanceof MdxError)) throw problem
        const { message, line = 1, column = 1 } = problem
        return { errors: [{ text: message, location: { file: path, line, column: column - 1 } }] }
      }
    })
  },
})
