/** Solves `f(x) = 0` for an increasing or decreasing function between two points of different sign. */
export function solve(f: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high]
  const isRising = f(a) < 0
  for (let step = 0; step < 200; step++) {
    const middle = (a + b) / 2
    if (middle === a || middle === b) return middle
    if (f(middle) < 0 === isRising) a = middle
    else b = middle
  }
  return (a + b) / 2
}

const lnSqrtTwoPi = 0.918_938_533_204_672_7

/** C. Lanczos, A precision approximation of the gamma function, 1964, with g = 7 and nine terms. */
const lanczos = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_59, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_571_6e-6,
  1.505_632_735_149_311_6e-7,
] as const

/** The natural logarithm of the gamma function, for positive numbers. */
export function lnGamma(x: number): number {
  if (x > 15) return (x - 0.5) * Math.log(x) - x + lnSqrtTwoPi + stirlingSeries(x)
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x)
  const sum = lanczos.reduce((all, term, i) => (i === 0 ? term : all + term / (x + i - 1)), 0)
  const base = x + 6.5
  return lnSqrtTwoPi + (x - 0.5) * Math.log(base) - base + Math.log(sum)
}

/** The remainder of Stirling's formula, for numbers above 15: Abramowitz and Stegun, 6.1.41. */
function stirlingSeries(x: number): number {
  const square = x * x
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / x
}

/** `lnGamma(x + 1)` without Stirling's formula `(x + ½) ln x − x + ln √2π`. */
function stirlingError(x: number): number {
  if (x > 15) return stirlingSeries(x)
  return lnGamma(x + 1) - (x + 0.5) * Math.log(x) + x - lnSqrtTwoPi
}

/** `x ln(x / mean) + mean − x`, without cancellation where both are near each other. */
function devianceTerm(x: number, mean: number): number {
  const difference = x - mean
  if (Math.abs(difference) > 0.1 * (x + mean)) return x * Math.log(x / mean) - difference
  // with v = (x − mean) / (x + mean), the logarithm is 2 (v + v³/3 + v⁵/5 + …)
  const v = difference / (x + mean)
  let sum = difference * v
  let power = 2 * x * v
  for (let j = 1; j < 100; j++) {
    power *= v * v
    const next = sum + power / (2 * j + 1)
    if (next === sum) return next
    sum = next
  }
  return sum
}

/**
 * `x^a (1 − x)^b / B(a, b)`. The saddle point form keeps its precision for shapes of millions, where the logarithms of
 * the gamma function would cancel: C. Loader, Fast and accurate computation of binomial probabilities, 2000.
 */
function betaPrefactor(a: number, b: number, x: number, y: number): number {
  const size = a + b
  const exponent =
    stirlingError(size) -
    stirlingError(a) -
    stirlingError(b) -
    devianceTerm(a, size * x) -
    devianceTerm(b, size * y)
  return Math.sqrt((a * b) / (2 * Math.PI * size)) * Math.exp(exponent)
}

const tiny = 1e-300

/** A continued fraction b₀ + a₁/(b₁ + a₂/(b₂ + …)) by the method of Lentz. */
function continuedFraction(first: number, term: (n: number) => readonly [a: number, b: number]): number {
  let value = first === 0 ? tiny : first
  let c = value
  let d = 0
  for (let n = 1; n < 100_000; n++) {
    const [a, b] = term(n)
    d = b + a * d
    d = 1 / (d === 0 ? tiny : d)
    c = b + a / c
    if (c === 0) c = tiny
    const factor = c * d
    value *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return value
}

/** The regularized incomplete beta function: the share of a Beta(a, b) distribution below `x`. */
export function incompleteBeta(a: number, b: number, x: number, y: number = 1 - x): number {
  if (x <= 0) return 0
  if (y <= 0) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - lowerBeta(b, a, y, x)
  return lowerBeta(a, b, x, y)
}

function lowerBeta(a: number, b: number, x: number, y: number): number {
  const fraction = continuedFraction(1, (n) => {
    const m = Math.floor(n / 2)
    const divisor = (a + n - 1) * (a + n)
    return [n % 2 === 0 ? (m * (b - m) * x) / divisor : (-(a + m) * (a + b + m) * x) / divisor, 1]
  })
  return betaPrefactor(a, b, x, y) / (a * fraction)
}

/** `x^a e^−x / Γ(a)`, in the saddle point form. */
const gammaPrefactor = (a: number, x: number): number =>
  Math.sqrt(a / (2 * Math.PI)) * Math.exp(-stirlingError(a) - devianceTerm(a, x))

/** The regularized incomplete gamma function from `x` up. */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  return x < a + 1 ? 1 - gammaSeries(a, x) : gammaFraction(a, x)
}

function gammaSeries(a: number, x: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < 100_000; n++) {
    term *= x / (a + n)
    sum += term
    if (term < sum * 1e-17) break
  }
  return sum * gammaPrefactor(a, x)
}

const gammaFraction = (a: number, x: number): number =>
  gammaPrefactor(a, x) / continuedFraction(x + 1 - a, (n) => [-n * (n - a), x + 2 * n + 1 - a])

/** The probability that a chi-square variable is above `x`. */
export const chiSquareTail = (x: number, freedom: number): number => upperGamma(freedom / 2, x / 2)

/** The probability that a standard normal variable is below `z`. Keeps its relative precision down to z = −37. */
export function normalCdf(z: number): number {
  if (z > 0) return 1 - normalCdf(-z)
  const half = (z * z) / 2
  if (half < 2) return 0.5 - (gammaSeries(0.5, half) || 0) / 2
  return gammaFraction(0.5, half) / 2
}

export const normalDensity = (z: number): number => Math.exp(-(z * z) / 2 - lnSqrtTwoPi)

/** The quantile of the standard normal distribution. */
export function normalQuantile(probability: number): number {
  if (probability <= 0) return -Infinity
  if (probability >= 1) return Infinity
  if (probability > 0.5) return -normalQuantile(1 - probability)
  const target = Math.log(probability)
  // Newton’s method on the logarithm, which is concave: it cannot overshoot from below
  let z = -Math.sqrt(-2 * target)
  for (let step = 0; step < 100; step++) {
    const below = normalCdf(z)
    const change = ((Math.log(below) - target) * below) / normalDensity(z)
    z -= change
    if (Math.abs(change) <= 1e-15 * Math.abs(z) || z === 0) break
  }
  return z
}

const quadratureStep = 1 / 32

/**
 * The integral of a function from 0 to infinity that decays by an exponential or by a power: double exponential
 * quadrature of Takahasi and Mori, 1974.
 */
function integrateToInfinity(f: (x: number) => number): number {
  let sum = 0
  for (let t = -4.5; t <= 4.5; t += quadratureStep) {
    const x = Math.exp((Math.PI / 2) * Math.sinh(t))
    const weight = x * (Math.PI / 2) * Math.cosh(t)
    const value = f(x) * weight
    if (Number.isFinite(value)) sum += value
  }
  return sum * quadratureStep
}

/** `ln Γ(x + ½) − ln Γ(x)`, without cancellation for large numbers. */
function lnHalfStep(x: number): number {
  if (x < 20) return lnGamma(x + 0.5) - lnGamma(x)
  const square = x * x
  return Math.log(x) / 2 - (1 / 8 - (1 / 192 - (1 / 640 - 17 / (14_336 * square)) / square) / square) / x
}

/** The density of Student's distribution. */
const studentDensity = (t: number, freedom: number): number =>
  Math.exp(
    lnHalfStep(freedom / 2) -
      Math.log(freedom * Math.PI) / 2 -
      ((freedom + 1) / 2) * Math.log1p((t * t) / freedom),
  )

/** The probability that a Student variable is above `t`. The degrees of freedom need not be whole. */
export function studentTail(t: number, freedom: number): number {
  if (t < 0) return 1 - studentTail(-t, freedom)
  if (!Number.isFinite(freedom)) return normalCdf(-t)
  const exponent = (freedom + 1) / 2
  const base = freedom + t * t
  // the distance on which the density falls by a few times
  const size = Math.max(1, t)
  const scale = size / (1 + (2 * exponent * t * size) / base)
  const relative = integrateToInfinity((x) => {
    const s = x * scale
    return Math.exp(-exponent * Math.log1p((s * (2 * t + s)) / base))
  })
  return studentDensity(t, freedom) * relative * scale
}

/** The quantile of Student's distribution. */
export function studentQuantile(probability: number, freedom: number): number {
  if (probability === 0.5) return 0
  return probability < 0.5 ? -quantileOfTail(probability, freedom) : quantileOfTail(1 - probability, freedom)
}

function quantileOfTail(tail: number, freedom: number): number {
  if (!Number.isFinite(freedom)) return -normalQuantile(tail)
  // Newton’s method on the logarithm of the tail, from the normal quantile, which is always nearer to 0
  let t = -normalQuantile(tail)
  for (let step = 0; step < 200; step++) {
    const above = studentTail(t, freedom)
    const change = (Math.log(above / tail) * above) / studentDensity(t, freedom)
    t += change
    if (Math.abs(change) <= 1e-14 * Math.abs(t)) break
  }
  return t
}
