import type { McpServer } from '@modelcontextprotocol/server'
import { bounceRuleFrom } from '#insights/bounce-rule'
import { answerSettingsOf } from '#insights/project-settings'
import type { Project } from '#projects/project'
import type { PictureInput } from '#studio/pictures/picture'
import type { ToolAnswer } from './agent-tool'
import { countedText, linkOf } from './answer-text'

/** Draws answers for clients that show them, and has the document that shows the drawings. */
export interface PictureMaker {
  view: () => Promise<string>
  /** Undefined if there is no picture: the answer then stands as text alone. */
  draw: (input: PictureInput) => Promise<string | undefined>
}

const address = 'ui://tilth/picture'
const mimeType = 'text/html;profile=mcp-app'
/** The key of a drawing in the `_meta` of a result, which models do not read. `tracker/pictures` reads it. */
const key = 'tilth/picture'

/** Tells a client which document shows the results of a tool. */
export const viewOfTool = { ui: { resourceUri: address } }

/** Offers the document, which is the same for every tool and has no numbers. */
export function registerView(server: McpServer, pictures: PictureMaker): void {
  server.registerResource('picture', address, { title: 'Picture of an answer', mimeType }, async () => ({
    // the document has a border of its own, and reaches no network
    contents: [
      { uri: address, mimeType, text: await pictures.view(), _meta: { ui: { prefersBorder: false } } },
    ],
  }))
}

/** Returns what only the document reads of an answer. */
export async function pictureIn(
  answer: ToolAnswer,
  pictures: PictureMaker,
  { project, studio }: { project: Project; studio: URL },
): Promise<Record<string, string> | undefined> {
  const { picture, sentence, notes = [], path, counted } = answer
  if (!picture || !counted) return undefined
  const settings = answerSettingsOf(project)
  const { timeZone } = project
  const { currency, weekStart } = settings
  const markup = await pictures.draw({
    subject: picture,
    settings: {
      timeZone,
      currency,
      weekStart,
      bounceRule: bounceRuleFrom(settings),
      since: project.createdAt,
    },
    now: counted.at,
    sentence,
    notes: [...notes, ...countedText(answer, { timeZone })],
    link: linkOf(path, studio),
  })
  return markup === undefined ? undefined : { [key]: markup }
}
