import {
  type CallToolResult,
  fromJsonSchema,
  type GetPromptResult,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { anExchangeServer } from '#test/product/exchange-server'
import { openTestProduct, requireDone } from '#test/product/fixture'
import { operator, scopes } from '#projects/access'
import { openLog } from '#server/log'
import { answerMcp, answerMessage } from './answer-mcp'

/** The official suite, which knows the revisions 2025-06-18 and 2025-11-25. */
const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const log = openLog({ level: 'silent', format: 'json' })

/** The suite has these for clients only: what Tilth's own sign-in answers is held by the official clients. */
test('the suite has no scenario of authorization for servers', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [suite, 'list'])
  const [servers = '', clients = ''] = stdout.split('Client scenarios')
  expect(servers).toContain('- dns-rebinding-protection')
  expect(servers).not.toMatch(/auth/i)
  expect(clients).toContain('- auth/metadata-default')
})

/** Returns the output of the suite, which ends with a sum of what passed. */
async function runScenario(scenario: string, address: URL): Promise<string> {
  const args = [suite, 'server', '--url', new URL('/mcp', address).href, '--scenario', scenario]
  const output = await promisify(execFile)(process.execPath, args).catch(
    // a scenario that failed ends with another exit code
    (problem: { stdout: string; stderr: string }) => problem,
  )
  return output.stdout + output.stderr
}

const allPassed = /Passed: ([1-9]\d*)\/\1, 0 failed/

test.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
  '/mcp passes %s',
  async (scenario) => {
    const { product, aProject } = await openTestProduct()
    const { id } = await aProject()
    const { text } = requireDone(
      await product.projects.keys.create(id, { name: 'Suite', scopes }, operator()),
    )
    const address = await anExchangeServer(async (exchange, body, addresses) => {
      // the suite has no key to send
      exchange.request.headers.authorization = `Bearer ${text}`
      await answerMcp(exchange, body, { product, log, addresses })
    })
    expect(await runScenario(scenario, address)).toMatch(allPassed)
  },
)

const image = {
  type: 'image' as const,
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
}
const audio = { type: 'audio' as const, data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' }
const text = (content: string) => ({ type: 'text' as const, text: content })
const embedded = (uri: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: content },
})

/** The tools that the scenarios call. */
const tools: Record<string, CallToolResult['content']> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [audio],
  test_embedded_resource: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', '{"test":"data","value":123}'),
  ],
}

const promptOf = (...contents: GetPromptResult['messages'][number]['content'][]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})

/** A server with what the suite asks every server under test to have. */
function suiteServer(): McpServer {
  const server = new McpServer({ name: 'suite', version: '1.0.0' })
  for (const [name, content] of Object.entries(tools))
    server.registerTool(name, { description: name }, () => ({ content }))
  registerSpecialTools(server)
  registerResources(server)
  registerPrompts(server)
  return server
}

function registerSpecialTools(server: McpServer): void {
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is.' },
    async (context: ServerContext) => {
      const progressToken = context.mcpReq['_meta']?.progressToken
      for (const progress of [0, 50, 100])
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          })
      return { content: [text('Done.')] }
    },
  )
  const inputSchema = fromJsonSchema<{ name?: string }>({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  })
  const description = 'Has a schema with keywords of 2020-12.'
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema }, ({ name }) => ({
    content: [text(`Hello, ${name}.`)],
  }))
}

function registerResources(server: McpServer): void {
  const uris = { text: 'test://static-text', binary: 'test://static-binary' }
  server.registerResource('static-text', uris.text, { mimeType: 'text/plain' }, () => ({
    contents: [
      { uri: uris.text, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }))
  server.registerResource('static-binary', uris.binary, { mimeType: 'image/png' }, () => ({
    contents: [{ uri: uris.binary, mimeType: 'image/png', blob: image.data }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => {
    const content = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` })
    return { contents: [{ uri: href, mimeType: 'application/json', text: content }] }
  })
}

function registerPrompts(server: McpServer): void {
  const word = z.string()
  server.registerPrompt('test_simple_prompt', { description: 'Simple.' }, () =>
    promptOf(text('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments.', argsSchema: z.object({ arg1: word, arg2: word }) },
    ({ arg1, arg2 }) => promptOf(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource.', argsSchema: z.object({ resourceUri: word }) },
    ({ resourceUri }) =>
      promptOf(
        embedded(resourceUri, 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image.' }, () =>
    promptOf(image, text('Please analyze the image above.')),
  )
}

test.each([
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'json-schema-2020-12',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
])('what answers /mcp passes %s with the tools of the suite', async (scenario) => {
  const authorize = () => Promise.resolve(suiteServer)
  const address = await anExchangeServer((exchange, body, addresses) =>
    answerMessage(exchange, body, { log, addresses, authorize }),
  )
  expect(await runScenario(scenario, address)).toMatch(allPassed)
})
