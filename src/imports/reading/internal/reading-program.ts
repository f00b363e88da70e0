import { exitWithParent } from '#processes/parent'
import { readFiles, type ReadingMessage, type ReadingRequest } from '../reading'

/**
 * The program of the process that reads uploaded files. Files of others may take long or much memory to read, and nothing
 * else waits for it here; the parent ends this process when it must.
 */
exitWithParent()

// only `startReading` sends messages: first the request, then an answer to each portion
process.once('message', (request: ReadingRequest) => void read(request))

async function read(request: ReadingRequest): Promise<void> {
  const end = await readFiles(request, {
    progress: (rows) => tell({ kind: 'progress', rows }),
    portion: async (portion) => {
      const written = new Promise<void>((resolve) => process.once('message', () => resolve()))
      tell({ kind: 'portion', portion })
      await written
    },
  })
  process.send?.(end, () => process.disconnect())
}

const tell = (message: ReadingMessage): void => void process.send?.(message)
