interface Readiness {
  address: URL
  /** While nobody owns this installation. */
  setupCode: string | undefined
  /** What does not answer yet, a sentence each. */
  troubles: readonly string[]
  seconds: number
}

/** Said as soon as the port is open: what takes longer than a blink is then shown in the browser, too. */
export function announceStarting(address: URL): void {
  say(`Tilth is starting at ${address.origin}`)
}

/** Said once, however long it takes: the log has it, too. */
export function announceWaiting(trouble: string): void {
  say(`Tilth waits for its store; until then, flags are decided as they were known before. ${trouble}`)
}

/** The one thing a person must see: drawn with room around it in a terminal, as plain lines for everything else. */
export function announceReady(readiness: Readiness): void {
  for (const line of process.stdout.isTTY ? forPeople(readiness) : forLogs(readiness)) say(line)
}

function forPeople({ address, setupCode, troubles, seconds }: Readiness): string[] {
  return [
    '',
    `  ${bold('Tilth is ready')}  ${address.origin}  ${faint(`${seconds.toFixed(1)} s`)}`,
    ...(setupCode
      ? [
          '',
          '  Nobody owns it yet. Make it yours within an hour at',
          `  ${setupAddress(address)}`,
          '  with the set-up code',
          '',
          `      ${bold(setupCode)}`,
        ]
      : []),
    ...troubles.flatMap((trouble) => ['', `  ${trouble}`]),
    '',
  ]
}

const forLogs = ({ address, setupCode, troubles }: Readiness): string[] => [
  `Tilth is ready at ${address.origin}`,
  ...(setupCode
    ? [
        `Nobody owns it yet. Make it yours within an hour at ${setupAddress(address)}`,
        `Set-up code: ${setupCode}`,
      ]
    : []),
  ...troubles,
]

const setupAddress = (address: URL): string => new URL('/studio/setup', address).href

const bold = (text: string): string => `\u001B[1m${text}\u001B[0m`
const faint = (text: string): string => `\u001B[2m${text}\u001B[0m`

const say = (line: string): void => void process.stdout.write(`${line}\n`)
