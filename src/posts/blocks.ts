/**
 * The blocks of posts besides Markdown. The parser, the editor's menu and the manual use this list. With two colons a
 * block is one line; with three it contains Markdown up to a line of as many colons.
 */
export const blockList = [
  {
    name: 'note',
    does: 'Something worth knowing beside the text. `tip`, `warning` and `danger` look their part.',
    holds: true,
    attributes: { title: 'Its heading.' },
    example: ':::note{title="Before you begin"}\nYou need Node 22.\n:::',
  },
  {
    name: 'tip',
    does: 'Advice.',
    holds: true,
    attributes: { title: 'Its heading.' },
    example: ':::tip\nPress **?** to see all keys.\n:::',
  },
  {
    name: 'warning',
    does: 'What may go wrong.',
    holds: true,
    attributes: { title: 'Its heading.' },
    example: ':::warning\nThis takes a while.\n:::',
  },
  {
    name: 'danger',
    does: 'What cannot be undone.',
    holds: true,
    attributes: { title: 'Its heading.' },
    example: ':::danger\nThis deletes everything.\n:::',
  },
  {
    name: 'details',
    does: 'Collapsed until a reader opens it.',
    holds: true,
    attributes: {
      title: 'The heading, visible while it is collapsed.',
      open: 'Write `open` to have it open from the start.',
    },
    example: ':::details{title="The whole log"}\nIt is long.\n:::',
  },
  {
    name: 'figure',
    does: 'Pictures, a table or code with a caption. The last paragraph is the caption, unless it is given.',
    holds: true,
    attributes: { caption: 'What stands below.', wide: 'Write `wide` to let it be wider than the text.' },
    example:
      ':::figure{caption="The harbour at night"}\n![Boats under lamps](/_tilth/images/harbour.webp)\n:::',
  },
  {
    name: 'hero',
    does: 'The head of a page: a large heading, a sentence or two, and links as buttons in its last paragraph.',
    holds: true,
    attributes: { align: '`center` or `start`.' },
    example:
      ':::hero\n# Grow on your own ground\nEverything a site needs, on one server.\n\n[Start](/start) [Read more](/about)\n:::',
  },
  {
    name: 'features',
    does: 'A grid; each `###` begins a field of it.',
    holds: true,
    attributes: { columns: 'How many stand beside each other where there is room: 2, 3 or 4.' },
    example: ':::features\n### Fast\nUnder a second.\n### Yours\nOn your server.\n:::',
  },
  {
    name: 'prices',
    does: 'Plans beside each other; each `###` begins one. A price in bold stands out, and so does a link at the end.',
    holds: true,
    attributes: { best: 'The name of the plan to point out.' },
    example:
      ':::prices{best="Team"}\n### Solo\n**Free**\n- One site\n### Team\n**€9** a month\n- Ten sites\n\n[Choose](/sign-up)\n:::',
  },
  {
    name: 'questions',
    does: 'Questions and answers, folded; each `###` is a question.',
    holds: true,
    attributes: {},
    example: ':::questions\n### Where is my data?\nOn your server.\n:::',
  },
  {
    name: 'signup',
    does: 'A form for an e-mail address, below the text that it holds. A visitor who submits it becomes a person of the project.',
    holds: true,
    attributes: {
      name: 'The name of the form, sent with the event.',
      button: 'The text of the button.',
      thanks: 'The text shown afterwards.',
    },
    example:
      ':::signup{name="newsletter" button="Send it to me" thanks="See you soon."}\nOne letter a month.\n:::',
  },
  {
    name: 'survey',
    does: 'A survey of the project whose placement is inline, shown to those it is for. It works without a script.',
    holds: true,
    attributes: {
      survey: 'The name or id of the survey.',
      fields: 'Values of its hidden fields, as in `plan=pro&place=end`.',
    },
    example: ':::survey{survey="Post feedback"}\n:::',
  },
  {
    name: 'variant',
    does: 'Shown only to visitors who get the flag or variant.',
    holds: true,
    attributes: {
      of: 'The key of the flag or experiment.',
      is: 'Which variant; without it, the flag is to be on.',
    },
    example: ':::variant{of="new-pricing" is="b"}\nOnly some of you read this.\n:::',
  },
  {
    name: 'embed',
    does: 'A video, sound, post, map, design or code of another site. No request is sent to it before a reader asks for it.',
    holds: false,
    attributes: { address: 'Where it is.', title: 'What it is.' },
    example: '::embed{address="https://www.youtube.com/watch?v=aqz-KE-bpKQ" title="Big Buck Bunny"}',
  },
  {
    name: 'latest',
    does: 'The newest posts.',
    holds: false,
    attributes: { count: 'How many; 3 if you do not say.', tag: 'Only those with this tag.' },
    example: '::latest{count="5" tag="News"}',
  },
  {
    name: 'most-read',
    does: 'What was read most.',
    holds: false,
    attributes: {
      days: 'In how many days up to now; 7 if you do not say.',
      count: 'How many; 5 if you do not say.',
    },
    example: '::most-read{days="30"}',
  },
  {
    name: 'readers',
    does: 'How many are reading right now.',
    holds: false,
    attributes: {},
    example: '::readers{}',
  },
] as const satisfies readonly BlockKind[]

interface BlockKind {
  name: string
  does: string
  /** Whether it contains Markdown, and so is written with three colons. */
  holds: boolean
  /** The purpose of each attribute. Other attributes are dropped. */
  attributes: Readonly<Record<string, string>>
  example: string
}

type BlockName = (typeof blockList)[number]['name']

/** Blocks that depend on the reader or on recorded events: a page provides a component for each. */
const dynamicBlocks = [
  'signup',
  'survey',
  'variant',
  'latest',
  'most-read',
  'readers',
] as const satisfies BlockName[]
export type DynamicBlock = (typeof dynamicBlocks)[number]

export const isDynamic = (name: string): name is DynamicBlock => dynamicBlocks.some((live) => live === name)

export const blockNamed = (name: string): BlockKind | undefined =>
  blockList.find((kind) => kind.name === name)

export type BlockAttributes = Readonly<Record<string, string>>

const maxAttributeLength = 2000

/** Returns the attributes that the block has; one without a value gets its own name as the value. */
export function attributesOf(
  kind: BlockKind,
  written: Readonly<Record<string, string | null | undefined>>,
): BlockAttributes {
  const names = Object.keys(kind.attributes).filter((name) => Object.hasOwn(written, name))
  return Object.fromEntries(names.map((name) => [name, (written[name] || name).slice(0, maxAttributeLength)]))
}
