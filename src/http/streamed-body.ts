import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that is sent while it is written, because it may be too large for memory. */
export class StreamedBody {
  constructor(
    readonly contentType: string,
    readonly fileName: string,
    readonly parts: AsyncGenerator<string | Uint8Array>,
  ) {}
}

/** Sends all parts. Returns why the file was cut, unless the client disconnected. */
export async function answerStream(
  response: ServerResponse,
  { contentType, fileName, parts }: StreamedBody,
): Promise<unknown> {
  response.writeHead(200, {
    'content-type': contentType,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  if (response.req.method === 'HEAD') {
    response.end()
    return void (await parts.return(undefined))
  }
  try {
    await pipeline(Readable.from(parts), response)
    return undefined
  } catch (problem) {
    const hasLeft = problem instanceof Error && 'code' in problem && problem.code === prematureClose
    return hasLeft ? undefined : problem
  }
}

const prematureClose = 'ERR_STREAM_PREMATURE_CLOSE'
