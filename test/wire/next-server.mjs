import { createServer } from 'node:http'
import next from 'next'

/** `next start` on a port that nothing else has: Next must know the port, and is told the one that is open already. */
const server = createServer((request, response) => void serve.then((handle) => handle(request, response)))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address()
const app = next({ dir: process.argv[2], dev: false, hostname: 'localhost', port })
const serve = app.prepare().then(() => app.getRequestHandler())
await serve
console.log(`Ready at http://localhost:${port}`)
