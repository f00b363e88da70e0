/** How many series a legend can switch off. Each needs a rule in charts.css, because style cannot count. */
export const maxSwitchableSeries = 24
