export { metadata, ExperimentsPage as default } from '#studio/experiments/ExperimentsPage'
