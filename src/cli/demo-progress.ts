/** The terminal or log that shows the progress. */
interface Output {
  isTTY?: boolean
  write(text: string): unknown
}

interface Progress {
  show: (events: number, part: number) => void
  end: () => void
}

/** Shows a bar that grows on a terminal; elsewhere a line for every tenth, for a log should not stand still either. */
export function showProgress(output: Output | undefined): Progress {
  if (!output) return { show: () => {}, end: () => {} }
  return output.isTTY ? progressBar(output) : progressLines(output)
}

const width = 30

function progressBar(output: Output): Progress {
  return {
    show(events, part) {
      const full = Math.round(width * Math.min(1, part))
      const bar = '█'.repeat(full) + '░'.repeat(width - full)
      output.write(`\r\u001B[K  Demo ${bar} ${percent(part)}  ${amount(events)}`)
    },
    end: () => output.write('\r\u001B[K'),
  }
}

function progressLines(output: Output): Progress {
  let writtenTenths = 0
  return {
    show(events, part) {
      const tenths = Math.floor(part * 10)
      if (tenths <= writtenTenths) return
      writtenTenths = tenths
      output.write(`Demo: ${percent(tenths / 10)}, ${amount(events)}\n`)
    },
    end: () => {},
  }
}

const percent = (part: number): string => `${Math.min(100, Math.round(part * 100))} %`

const amount = (events: number): string => `${events.toLocaleString('en')} events`
