interface StartAnnouncement {
  address: URL
  /** Set while this installation has no owner. */
  setupCode: string | undefined
  /** Services that do not respond yet, a sentence each. */
  troubles: readonly string[]
  seconds: number
}

/** Prints the address as soon as the port is open: from then on the browser shows the progress. */
export function announceStarting(address: URL): void {
  printLine(`Tilth is starting at ${address.origin}`)
}

/** Prints once that Tilth waits for its store. The log says so too. */
export function announceWaiting(trouble: string): void {
  printLine(`Tilth waits for its store; until then, flags are decided by the last snapshot. ${trouble}`)
}

/** Prints the address and the set-up code: with space around them in a terminal, as plain lines otherwise. */
export function announceStarted(started: StartAnnouncement): void {
  for (const line of process.stdout.isTTY ? terminalLines(started) : logLines(started)) printLine(line)
}

/** Prints that Tilth is ready, after a start that was announced with troubles. */
export function announceReadyAfterTroubles(address: URL): void {
  printLine(readyAt(address))
}

const readyAt = ({ origin }: URL): string => `Tilth is ready at ${origin}`

function terminalLines({ address, setupCode, troubles, seconds }: StartAnnouncement): string[] {
  return [
    '',
    `  ${bold(troubles.length === 0 ? 'Tilth is ready' : notReadyYet)}  ${address.origin}  ${faint(`${seconds.toFixed(1)} s`)}`,
    ...(setupCode
      ? [
          '',
          '  This installation has no owner yet. Claim it within an hour at',
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

const notReadyYet = 'Tilth is not ready yet'

const logLines = ({ address, setupCode, troubles }: StartAnnouncement): string[] => [
  troubles.length === 0 ? readyAt(address) : `${notReadyYet}; it will be at ${address.origin}`,
  ...(setupCode
    ? [
        `This installation has no owner yet. Claim it within an hour at ${setupAddress(address)}`,
        `Set-up code: ${setupCode}`,
      ]
    : []),
  ...troubles,
]

const setupAddress = (address: URL): string => new URL('/studio/setup', address).href

const bold = (text: string): string => `\u001B[1m${text}\u001B[0m`
const faint = (text: string): string => `\u001B[2m${text}\u001B[0m`

const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
