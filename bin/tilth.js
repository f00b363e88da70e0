#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installEarly } from './packages.js'
import { compressLater, prepare } from './prepare.js'
import { say } from './progress.js'
import { endWithParent, onSuitableNode } from './runtime.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

try {
  await onSuitableNode(root, runTilth, () => installEarly(root))
} catch (problem) {
  say('✗', explained(problem))
  process.exit(1)
}

async function runTilth() {
  endWithParent()
  const starts = process.argv[2] === 'start'
  await prepare(root, { compresses: !starts })
  process.env.NODE_ENV ??= 'production'
  process.setSourceMapsEnabled(true)
  await rememberCompiled()
  const programs = join(root, 'dist')
  const { run } = await import(join(programs, 'command-line.js'))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  await run(process.argv.slice(2), { root, programs }, version)
  if (starts) compressLater(root)
}

/** Keeps Node's compiled code of our programs for the next start, of this process and of its children. */
async function rememberCompiled() {
  // the Node that read this file may be too old to have it
  const { enableCompileCache } = await import('node:module')
  process.env.NODE_COMPILE_CACHE ??= join(root, '.node', 'compiled')
  enableCompileCache()
}

function explained(problem) {
  // messages of these errors are complete, with the remedy
  if (['ProgramError', 'StartError', 'StoreRefusedError'].includes(problem.name)) return problem.message
  if (problem.code !== 'ERR_MODULE_NOT_FOUND') return problem.stack
  return `${problem.message}.\nA package is missing: remove node_modules, then run npm install here.`
}
