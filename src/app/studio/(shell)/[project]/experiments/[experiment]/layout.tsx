export { ExperimentLayout as default } from '#studio/experiments/ExperimentLayout'
