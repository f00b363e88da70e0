import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'

/** A server that hands out empty databases. */
export interface PostgresServer {
  /** Returns the address of an empty database. Databases that were handed out before may be gone. */
  emptyDatabase: () => Promise<string>
  stop: () => Promise<void>
}

/** A server that can be away for a while, and comes back where it was with all that was in it. */
export interface InterruptibleServer extends PostgresServer {
  disconnect: () => Promise<void>
  reconnect: () => Promise<void>
  /** Answers nothing any more and closes nothing, as a server that is stopped by a signal. */
  freeze: () => void
  thaw: () => void
}

/**
 * The real Postgres, compiled to WebAssembly, behind its own wire protocol: nothing to install. It has one session, which
 * its connections share in turns, so they may wait long; races between servers need the other kind.
 */
export async function startBuiltInPostgres(): Promise<InterruptibleServer> {
  const postgres = await PGlite.create()
  const turns = new SessionQueue(postgres)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    serveConnection(socket, turns)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listens on a port, not on a pipe
  return {
    async emptyDatabase() {
      await postgres.exec(`
        do $$
        declare one text;
        begin
          for one in select nspname from pg_namespace where nspname = 'public' or starts_with(nspname, 'tilth_')
          loop execute format('drop schema %I cascade', one); end loop;
        end $$;
        create schema public`)
      return `postgres://postgres@127.0.0.1:${port}/postgres?connect_timeout=60`
    },
    async disconnect() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async reconnect() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    freeze: () => turns.freeze(),
    thaw: () => turns.thaw(),
    async stop() {
      turns.thaw()
      server.close()
      await turns.end()
      await postgres.close()
    },
  }
}

interface QueryTurn {
  socket: Socket
  messages: readonly Buffer[]
}

/** A client inside a transaction has the session alone until its end, as with a connection of its own. */
class SessionQueue {
  private readonly line: QueryTurn[] = []
  private holder: Socket | undefined
  private working: Promise<void> | undefined
  private hasEnded = false
  private frozen: PromiseWithResolvers<void> | undefined

  constructor(private readonly postgres: PGlite) {}

  freeze(): void {
    this.frozen ??= Promise.withResolvers()
  }

  thaw(): void {
    this.frozen?.resolve()
    this.frozen = undefined
  }

  take(turn: QueryTurn): void {
    if (this.hasEnded) return
    this.line.push(turn)
    this.working ??= this.work().finally(() => (this.working = undefined))
  }

  /** Answers the turn under way and no other: connections that close later may have left a transaction open. */
  async end(): Promise<void> {
    this.hasEnded = true
    this.line.length = 0
    await this.working
  }

  /** A connection that breaks takes back what it had begun. */
  release(socket: Socket): void {
    if (this.holder === socket) this.take({ socket, messages: [query('rollback')] })
  }

  private async work(): Promise<void> {
    for (let turn = this.next(); turn; turn = this.next()) {
      await this.frozen?.promise
      const answer = await this.answerTo(turn.messages)
      this.holder = isInsideTransaction(answer) ? turn.socket : undefined
      if (turn.socket.writable) turn.socket.write(answer)
      else this.release(turn.socket)
    }
  }

  private next(): QueryTurn | undefined {
    const place = this.holder ? this.line.findIndex(({ socket }) => socket === this.holder) : 0
    return place < 0 ? undefined : this.line.splice(place, 1)[0]
  }

  private answerTo(messages: readonly Buffer[]): Promise<Buffer> {
    return this.postgres.runExclusive(async () => {
      const answers: Uint8Array[] = []
      for (const message of messages) answers.push(await this.postgres.execProtocolRaw(message))
      return Buffer.concat(answers)
    })
  }
}

/** Every answer ends with "ready", and a letter that says whether inside a transaction or not. */
const isInsideTransaction = (answer: Buffer): boolean =>
  ['T', 'E'].includes(answer.toString('latin1').slice(-1))

const wantsEncryption = 80_877_103
const [endsExtendedQuery, simpleQuery, goodbye] = ['S', 'Q', 'X'].map((letter) => letter.charCodeAt(0))

/** Cuts what a client sends into turns: the messages of one statement must not be torn apart by another client's. */
function serveConnection(socket: Socket, turns: SessionQueue): void {
  let received: Buffer = Buffer.alloc(0)
  let hasGreeted = false
  let statement: Buffer[] = []

  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    for (let message = firstMessage(); message; message = firstMessage()) hear(message)
  })
  socket.on('error', () => {})
  socket.on('close', () => turns.release(socket))

  /** A greeting has no letter before its length. */
  function firstMessage(): Buffer | undefined {
    const start = hasGreeted ? 1 : 0
    if (received.length < start + 4) return undefined
    const length = start + received.readInt32BE(start)
    if (received.length < length) return undefined
    const message = received.subarray(0, length)
    received = received.subarray(length)
    return message
  }

  function hear(message: Buffer): void {
    if (!hasGreeted) return greet(message)
    const [letter] = message
    if (letter === goodbye) return
    statement.push(message)
    if (letter !== endsExtendedQuery && letter !== simpleQuery) return
    turns.take({ socket, messages: statement })
    statement = []
  }

  function greet(message: Buffer): void {
    if (message.readInt32BE(4) === wantsEncryption) return void socket.write('N')
    hasGreeted = true
    turns.take({ socket, messages: [message] })
  }
}

function query(text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5, 'Q')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** The server at this address, as a user who may create databases. */
async function postgresAt(address: string): Promise<PostgresServer> {
  const client = new Client(address)
  await client.connect()
  const made: string[] = []
  return {
    async emptyDatabase() {
      const name = `tilth_test_${process.pid}_${made.length}`
      await client.query(`create database ${name}`)
      made.push(name)
      const url = new URL(address)
      url.pathname = `/${name}`
      return url.href
    },
    async stop() {
      for (const name of made) await client.query(`drop database ${name} with (force)`)
      await client.end()
    },
  }
}

/** Takes as long to start as most contracts to run, so the files of a worker share it; it ends with the worker. */
let builtInOfWorker: Promise<PostgresServer> | undefined

async function builtInPostgres(): Promise<PostgresServer> {
  const { emptyDatabase } = await (builtInOfWorker ??= startBuiltInPostgres())
  return { emptyDatabase, stop: async () => {} }
}

const ownServer = process.env['TILTH_TEST_POSTGRES']

/**
 * Runs a contract on the built-in Postgres, and on a server of one's own where TILTH_TEST_POSTGRES names one: only there
 * do two connections really race.
 */
export function describeOnPostgres(
  what: string,
  contract: (emptyDatabase: () => Promise<string>) => void,
): void {
  describe(`${what} on Postgres`, () => contract(databasesOf(builtInPostgres)))
  describeOnOwnPostgres(what, contract)
}

/** Runs a contract only on a server of one's own, for connections that hold locks while others work. */
export function describeOnOwnPostgres(
  what: string,
  contract: (emptyDatabase: () => Promise<string>) => void,
): void {
  const own = `${what} on a Postgres server of one’s own`
  describe.skipIf(!ownServer)(ownServer ? own : `${own} (left out: TILTH_TEST_POSTGRES names none)`, () =>
    contract(databasesOf(() => postgresAt(ownServer ?? ''))),
  )
}

function databasesOf(start: () => Promise<PostgresServer>): () => Promise<string> {
  let server: PostgresServer
  beforeAll(async () => void (server = await start()))
  afterAll(() => server.stop())
  return () => server.emptyDatabase()
}
