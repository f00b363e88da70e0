export { type BatchOptions, withTilth } from '@tilth/react/openfeature'
