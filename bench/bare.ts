import { type ChildProcess, spawn } from 'node:child_process'

/** The least a Node server can do, in a process of its own like ours: what everything else is compared with. */
export async function bareServer(answer: string): Promise<{ address: string; process: ChildProcess }> {
  const program = `require('node:http').createServer((request, response) => { ${answer} })
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const chunk of child.stdout)
    return { address: `http://127.0.0.1:${String(chunk).trim()}`, process: child }
  throw new Error('The bare server ended at once.')
}

/** A server that reads the body it is sent as JSON, and says that it did. */
export const parses = `const parts = []; request.on('data', (part) => parts.push(part)); request.on('end', () => {
  JSON.parse(Buffer.concat(parts)); response.setHeader('content-type', 'application/json'); response.end('{"status":1}') })`
