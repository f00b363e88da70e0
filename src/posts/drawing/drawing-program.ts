import { openDrawing } from './draw'

/**
 * The program of the process that draws diagrams. What authors write may take long or much memory, and nothing else
 * waits for it here: the parent ends this process when it must. It may read no packages but the diagram programs, so
 * it imports none.
 */
const [, , mermaid = '', graphviz = ''] = process.argv
const draw = openDrawing({ mermaid, graphviz })

/** Only `DrawingProcess` sends requests. */
interface DrawingRequest {
  id: number
  code: string
  language: string
}

process.on('message', (request: DrawingRequest) => void reply(request))
process.once('disconnect', () => process.exit())

async function reply({ id, code, language }: DrawingRequest): Promise<void> {
  process.send?.({ id, drawing: await draw(code, language) })
}
