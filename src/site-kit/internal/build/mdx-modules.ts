import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'
import { compileMdx, MdxError } from '#posts/mdx'
import type { CompiledTexts } from './compiled-texts'

/** Compiles posts and pages in MDX with the Markdown of posts. */
export const mdxModules = (texts: CompiledTexts): Plugin => ({
  name: 'mdx-modules',
  setup(build) {
    build.onLoad({ filter: /\.mdx$/ }, async ({ path }) => {
      try {
        const contents = await texts.compile('mdx', readFileSync(path, 'utf8'), compileMdx)
        return { contents, loader: 'jsx' }
      } catch (problem) {
        if (!(problem instanceof MdxError)) throw problem
        const { message, line = 1, column = 1 } = problem
        return { errors: [{ text: message, location: { file: path, line, column: column - 1 } }] }
      }
    })
  },
})
