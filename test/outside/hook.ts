import { createServer, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

interface HookCall {
  headers: IncomingHttpHeaders
  body: string
}

interface Hook {
  url: string
  calls: HookCall[]
  /** Sets the response to the next calls. */
  answerWith: (status: number, headers?: Record<string, string>) => void
  /** Answers no more calls until they are let go. */
  hold: () => void
  letGo: () => void
}

/** A customer's address for webhooks: a real server on this machine. */
export async function aHook(): Promise<Hook> {
  const calls: HookCall[] = []
  let answer: { status: number; headers: Record<string, string> } = { status: 204, headers: {} }
  let held: (() => void)[] | undefined
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      calls.push({ headers: request.headers, body })
      const respond = () => void response.writeHead(answer.status, answer.headers).end()
      if (held) held.push(respond)
      else respond()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('The hook has no port.')
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    calls,
    answerWith: (status, headers = {}) => (answer = { status, headers }),
    hold: () => (held ??= []),
    letGo: () => {
      const waiting = held ?? []
      held = undefined
      for (const respond of waiting) respond()
    },
  }
}
