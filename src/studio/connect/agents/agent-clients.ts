import type { Snippet } from '../snippet'

/** The steps that set up an assistant. */
interface AgentClientGuide {
  label: string
  about: string
  /** For a member who signs in. */
  signIn: readonly Snippet[]
  /** With a secret key in place of a member. */
  withKey: readonly Snippet[]
}

const json = (title: string, value: object): Snippet => ({
  title,
  language: 'JSON',
  code: JSON.stringify(value, null, 2),
})
const shell = (title: string, code: string): Snippet => ({ title, language: 'Shell', code })

const bearer = 'Bearer tilth_…'
const server = (url: string) => ({ type: 'http', url })
const withKey = (url: string) => ({ ...server(url), headers: { Authorization: bearer } })

/** Returns the guide of each client for the address of `/mcp`. */
export const agentClients = (url: string) =>
  ({
    'claude-code': {
      label: 'Claude Code',
      about: 'Add the server, then run /mcp in Claude Code and choose Authenticate.',
      signIn: [
        shell('Terminal', `claude mcp add --transport http tilth ${url}`),
        json('.mcp.json', { mcpServers: { tilth: server(url) } }),
      ],
      withKey: [
        shell(
          'Terminal, with a key',
          `claude mcp add --transport http tilth ${url} --header "Authorization: ${bearer}"`,
        ),
      ],
    },
    vscode: {
      label: 'VS Code',
      about: 'VS Code opens the page to sign in when it starts the server.',
      signIn: [
        shell('Terminal', `code --add-mcp '${JSON.stringify({ name: 'tilth', ...server(url) })}'`),
        json('.vscode/mcp.json', { servers: { tilth: server(url) } }),
      ],
      withKey: [json('.vscode/mcp.json, with a key', { servers: { tilth: withKey(url) } })],
    },
    codex: {
      label: 'Codex',
      about: 'Add the server, then sign in.',
      signIn: [shell('Terminal', `codex mcp add tilth --url ${url}\ncodex mcp login tilth`)],
      withKey: [
        shell(
          'Terminal, with a key',
          `export TILTH_KEY=tilth_…\ncodex mcp add tilth --url ${url} --bearer-token-env-var TILTH_KEY`,
        ),
      ],
    },
    gemini: {
      label: 'Gemini CLI',
      about: 'Add the server, then run /mcp auth tilth in Gemini CLI.',
      signIn: [shell('Terminal', `gemini mcp add --transport http tilth ${url}`)],
      withKey: [
        json('~/.gemini/settings.json, with a key', {
          mcpServers: { tilth: { httpUrl: url, headers: { Authorization: bearer } } },
        }),
      ],
    },
    cursor: {
      label: 'Cursor',
      about: 'Cursor returns from a sign-in to an address that Tilth refuses (cursor://), so it uses a key.',
      signIn: [],
      withKey: [json('.cursor/mcp.json', { mcpServers: { tilth: withKey(url) } })],
    },
    other: {
      label: 'Others',
      about: 'Clients that ask for an address alone, such as the connectors of a chat, need nothing else.',
      signIn: [
        { title: 'Address', language: 'URL', code: url },
        json('JSON', { mcpServers: { tilth: server(url) } }),
      ],
      withKey: [json('JSON, with a key', { mcpServers: { tilth: withKey(url) } })],
    },
  }) satisfies Record<string, AgentClientGuide>

type AgentClientName = keyof ReturnType<typeof agentClients>

export const isAgentClient = (
  name: unknown,
  guides: ReturnType<typeof agentClients>,
): name is AgentClientName => typeof name === 'string' && Object.hasOwn(guides, name)
