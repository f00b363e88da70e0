import { engineContract } from './engine.contract'
import { openEngine } from './open'
import { temporaryEngine, temporaryServer } from './internal/temporary'

engineContract('embedded', async () => {
  const { engine, signal, remove } = await temporaryEngine()
  const kill = async () => signal('SIGKILL')
  const comesBackByItself = async () => {}
  return { engine, kill, revive: comesBackByItself, remove }
})

engineContract('remote', async () => {
  const server = await temporaryServer()
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const engine = openEngine({ form: 'remote', url: server.url, log, probeEveryMs: 100 })
  const remove = async () => {
    await engine.close()
    await server.remove()
  }
  return { engine, kill: server.kill, revive: server.start, remove }
})
