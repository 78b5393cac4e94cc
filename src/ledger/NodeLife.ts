/**
 * The present life of this node: who it is to the others, and until when it may admit calls. Begun and ended by the lease;
 * everybody else reads it here.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import type { Beat, Node } from "../storage/NodeStore.ts"
import { LeaseDeadline } from "./bridge/LeaseDeadline.ts"

export class NodeLife extends Context.Service<
  NodeLife,
  {
    /** Passed while the node has no right to admit calls. */
    readonly deadline: LeaseDeadline
    /** `undefined` between two lives. */
    readonly present: () => Node | undefined
    /** Waits for a life. */
    readonly begun: Effect.Effect<Node>
    /** How many nodes lived when this one last asked. */
    readonly liveNodes: () => number
    readonly begin: (node: Node) => void
    readonly noteRenewal: (renewal: Pick<Beat, "atMs" | "liveNodes" | "renewals">) => void
    /** The node counts as gone: from now on it admits nothing, and what it had is others'. */
    readonly end: () => void
    /** Called when a life ends. */
    readonly onEnd: (listener: () => void) => void
    /** How the node takes its leave at the very end, when all that it owes is written. */
    readonly leaveBy: (leave: Effect.Effect<void>) => void
  }
>()("tollgate/ledger/NodeLife") {
  static readonly layerWith = (deadline: LeaseDeadline) =>
    Layer.effect(
      NodeLife,
      Effect.gen(function* () {
        let leave: Effect.Effect<void> = Effect.void
        yield* Effect.addFinalizer(() => Effect.suspend(() => leave))
        let present: Node | undefined
        let begun = Deferred.makeUnsafe<Node>()
        let liveNodes = 1
        const listeners: Array<() => void> = []
        return NodeLife.of({
          deadline,
          present: () => present,
          begun: Effect.suspend(() => Effect.map(Deferred.await(begun), (node) => present ?? node)),
          liveNodes: () => liveNodes,
          begin: (node) => {
            present = node
            Deferred.doneUnsafe(begun, Effect.succeed(node))
          },
          noteRenewal: (renewal) => {
            liveNodes = renewal.liveNodes
            if (present === undefined) return
            present = { ...present, renewals: renewal.renewals, renewedAtMs: renewal.atMs }
          },
          end: () => {
            deadline.end()
            if (present === undefined) return
            present = undefined
            begun = Deferred.makeUnsafe()
            for (const listener of listeners) listener()
          },
          onEnd: (listener) => void listeners.push(listener),
          leaveBy: (effect) => {
            leave = effect
          }
        })
      })
    )

  /** Each with a deadline of its own. */
  static readonly layer = Layer.unwrap(Effect.sync(() => NodeLife.layerWith(LeaseDeadline.make())))
}
