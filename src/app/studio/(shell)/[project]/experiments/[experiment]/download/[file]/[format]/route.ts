export { GET } from '#studio/experiments/results/result-file-route'
