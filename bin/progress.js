const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const out = process.stderr

/** Shows that a step is running, and afterwards how long it took. On a terminal it moves; elsewhere it prints lines. */
export async function step(title, work) {
  const began = performance.now()
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  const stop = out.isTTY ? spin(title, seconds) : remind(title, seconds)
  try {
    const result = await work()
    stop()
    say('✓', title, seconds())
    return result
  } catch (problem) {
    stop()
    say('✗', title, seconds())
    throw problem
  }
}

export const say = (mark, title, detail = '') => out.write(`${mark} ${title}${detail && ` (${detail})`}\n`)

/** The running steps on this terminal, drawn in one line by one timer. */
const spinning = new Map()
let redraws
let turn = 0

function spin(title, seconds) {
  spinning.set(title, seconds)
  redraws ??= setInterval(draw, 100)
  draw()
  return () => {
    spinning.delete(title)
    out.write('\r\u001B[K')
    if (spinning.size > 0) return
    clearInterval(redraws)
    redraws = undefined
  }
}

function draw() {
  const titles = [...spinning].map(([title, seconds]) => `${title} … ${seconds()}`)
  out.write(`\r\u001B[K${frames[turn++ % frames.length]} ${titles.join(' · ')}`)
}

/** A log that stands still looks like a program that hangs. */
function remind(title, seconds) {
  out.write(`  ${title} …\n`)
  const timer = setInterval(() => out.write(`  ${title} … ${seconds()}\n`), 15_000)
  return () => clearInterval(timer)
}
