import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { withoutSecrets } from './environment.js'

// Everything that is loaded before the right Node is found must be readable by Node 20.9.

/** A failed program, with the end of its output. */
export class ProgramError extends Error {
  constructor(command, outcome, output) {
    super(`${command} ${outcome}.\n${tail(output)}`)
    this.name = 'ProgramError'
    this.output = output
  }
}

const tail = (output) => output.trimEnd().split('\n').slice(-40).join('\n')

/**
 * Runs a program to its end without a keyboard, and keeps what it says for the case that it fails. It installs or
 * builds, which needs no secrets, so it gets none.
 */
export async function run(command, args, { cwd, env = {} }) {
  const program = spawn(command, args, {
    cwd,
    env: { ...withoutSecrets(process.env), ...onOurNode(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk) => (output = (output + chunk).slice(-256 * 1024))
  program.stdout.on('data', keep)
  program.stderr.on('data', keep)
  const outcome = await ended(program)
  if (outcome !== undefined) throw new ProgramError([command, ...args].join(' '), outcome, output)
  return output
}

/** The same, saying everything at once; answers whether it went well. */
export async function runAloud(command, args, { cwd, env = {} }) {
  const program = spawn(command, args, {
    cwd,
    env: { ...process.env, ...onOurNode(), ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return (await ended(program)) === undefined
}

/** Programs written for "the node on the path" get the one we run on. */
const onOurNode = () => ({ PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) })

function ended(program) {
  return new Promise((resolve) => {
    program.once('error', (problem) => resolve(`could not be started: ${problem.message}`))
    program.once('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    )
  })
}
