// Loaded into the front with `--import`: moves its wall clock by as many milliseconds as the named file says.
import { readFileSync } from 'node:fs'

const file = process.env.CRASHLAB_CLOCK
const RealDate = Date
let offsetMs = 0

function readOffset() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0
  } catch {
    offsetMs = 0
  }
}

if (file) {
  readOffset()
  setInterval(readOffset, 100).unref()
  globalThis.Date = class Date extends RealDate {
    constructor(...values) {
      if (values.length === 0) super(RealDate.now() + offsetMs)
      else super(...values)
    }
    static now() {
      return RealDate.now() + offsetMs
    }
    // a date that a thread sends is a real one
    static [Symbol.hasInstance](value) {
      return value instanceof RealDate
    }
  }
}
