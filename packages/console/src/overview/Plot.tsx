/** A plot of bars, with a table for those who do not see it or want the numbers. */
import { barsOf, roundMaximum } from "./plot.ts"

const width = 300
const height = 84

interface PlotProps {
  readonly title: string
  readonly total: string
  readonly unit: string
  readonly values: ReadonlyArray<readonly [label: string, value: number]>
  /** Drawn as a line. */
  readonly limit?: number | null
}

/** See above. */
export const Plot = ({ limit = null, title, total, unit, values }: PlotProps) => {
  const maximum = roundMaximum(Math.max(limit ?? 0, ...values.map(([, value]) => value)))
  const bars = barsOf(values, { width, height, maximum })
  const at = (value: number) => height - (value / maximum) * height
  return (
    <figure class="plot">
      <figcaption>
        <span>{title}</span> <strong>{total}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + 16}`} role="img" aria-label={`${title}: ${total}`}>
        <line class="axis" x1="0" x2={width} y1={height} y2={height} />
        <line class="grid" x1="0" x2={width} y1="0.500" y2="0.500" />
        {bars.map(({ height: tall, label, value, width: wide, x }) => (
          <rect key={label} x={x} y={height - tall} width={wide} height={tall} rx="1.500">
            <title>{`${label}: ${value} ${unit}`}</title>
          </rect>
        ))}
        {limit !== null && <line class="limit" x1="0" x2={width} y1={at(limit)} y2={at(limit)} />}
        <text x="0" y={height + 13}>
          {values[0]?.[0]}
        </text>
        <text x={width} y={height + 13} text-anchor="end">
          {values.at(-1)?.[0]}
        </text>
        <text x={width} y="10" text-anchor="end">
          {maximum}
        </text>
      </svg>
      <details>
        <summary>Numbers</summary>
        <table>
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{unit}</th>
              {limit !== null && <th scope="col">Limit</th>}
            </tr>
          </thead>
          <tbody>
            {values.map(([label, value]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
                {limit !== null && <td>{limit}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
