import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { DiagramPrograms } from './draw'

/** The diagram programs among the installed packages. */
export function installedDiagramPrograms(): DiagramPrograms {
  const { resolve } = createRequire(import.meta.url)
  const graphviz = join(dirname(resolve('@viz-js/viz')), 'viz.js')
  return { mermaid: resolve('@mermaid-js/tiny'), graphviz: pathToFileURL(graphviz).href }
}
