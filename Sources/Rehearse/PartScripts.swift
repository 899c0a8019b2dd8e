import Contracts
import Observations
import Reports
import ScenarioFiles

/// What a scheduler is told to make a run in parts and to merge them.
struct PartScripts {
  enum Scheduler: String, CaseIterable {
    case slurm, kubernetes, github
  }

  /// As the user named it.
  let file: String
  let text: [UInt8]
  let name: String
  let parts: Int
  let round: Int

  func text(for scheduler: Scheduler) -> String {
    switch scheduler {
    case .slurm: slurm
    case .kubernetes: kubernetes
    case .github: github
    }
  }

  private func origin(_ scheduler: Scheduler) -> String {
    "rehearse parts \(Escaping.shell(printable(file))) --for \(scheduler.rawValue) --parts \(parts)"
      + (round > 1 ? " --round \(round)" : "")
  }

  /// A word of a shell.
  private var scenario: String { Escaping.shell(file) }
  /// ` --round 2`
  private var roundWords: String { round > 1 ? " --round \(round)" : "" }

  // MARK: - Slurm

  private var slurm: String {
    """
    #!/bin/bash
    # \(printable(name)) in \(parts) parts on Slurm: a job array, and a job that merges them when all are there.
    # A task that is killed and queued again makes its own part only; parts that are there stay.
    # Made by: \(origin(.slurm))
    #
    #   bash SCRIPT                    submits both and prints the number of the merging job
    #
    # REHEARSE=PROGRAM PARTS=FOLDER OUTPUT=FOLDER (on a disk that all nodes see) and
    # SBATCH_OPTIONS='--partition=… --cpus-per-task=4 --mem=4G --time=30' change what is asked for.
    set -euo pipefail
    scenario=\(scenario)
    export REHEARSE=${REHEARSE:-rehearse} PARTS=${PARTS:-$PWD/parts} OUTPUT=${OUTPUT:-$PWD/report} SBATCH_OPTIONS=${SBATCH_OPTIONS-}
    round=${ROUND:-\(round)}
    export SCENARIO=${SCENARIO:-$(realpath -- "$scenario")} SCRIPT=$(realpath -- "$0")
    mkdir -p "$PARTS"
    # shellcheck disable=SC2086 # several words
    array=$(sbatch --parsable $SBATCH_OPTIONS --job-name=rehearse-parts --array=1-\(parts) --requeue --open-mode=append \\
      --output="$PARTS/%a.log" \\
      --wrap "exec \\"\\$REHEARSE\\" run \\"\\$SCENARIO\\" --part \\$SLURM_ARRAY_TASK_ID/\(parts) --round $round --output \\"\\$PARTS\\"")
    # A run that goes on until it is decided (exit code 95) is submitted again for its next round.
    # shellcheck disable=SC2086
    sbatch --parsable $SBATCH_OPTIONS --job-name=rehearse-merge --dependency="afterok:${array%%;*}" --kill-on-invalid-dep=yes \\
      --open-mode=append --output="$PARTS/merge.log" \\
      --wrap "\\"\\$REHEARSE\\" merge \\"\\$PARTS\\" --output \\"\\$OUTPUT\\"; code=\\$?; [ \\$code = 95 ] || exit \\$code; ROUND=$((round + 1)) exec bash \\"\\$SCRIPT\\""

    """
  }

  // MARK: - Kubernetes

  /// A name of Kubernetes's: letters, digits and `-`, at most 40 of them.
  private var label: String {
    let letters = name.lowercased().map { letter -> Character in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
    }
    return String(String("rehearse-" + letters).prefix(40))
      .trimmingSuffix { $0 == "-" }
  }

  private var kubernetes: String {
    let scenarioLines = String(decoding: text, as: UTF8.self)
    return """
      # \(printable(name)) in \(parts) parts on Kubernetes: an Indexed Job, and a Job that merges them when all are there.
      # Made by: \(origin(.kubernetes))
      #
      #   kubectl apply -f FILE
      #   kubectl wait --for=condition=complete --timeout=1h job/\(label)-merge
      #
      # It needs an image of Sources/Packaging/Dockerfile, and a volume claim that all pods may write to
      # (accessModes: [ReadWriteMany]). Where the merging ends with 95 another round is wanted: make it with --round.
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: \(label)
      data:
        scenario.yaml: \(YAMLText.quoted(scenarioLines))
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: \(label)-parts\(round > 1 ? "-\(round)" : "")
      spec:
        completionMode: Indexed
        completions: \(parts)
        parallelism: \(parts)
        backoffLimit: \(2 * parts)
        template:
          spec:
            restartPolicy: Never
            securityContext: {runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000}
            containers:
              - name: part
                image: rehearse:latest
                command: [/bin/sh, -c]
                args:
                  - >-
                    exec rehearse run /scenario/scenario.yaml
                    --part $((JOB_COMPLETION_INDEX + 1))/\(parts)\(roundWords) --output /parts/\(label)
                resources:
                  requests: {cpu: "1", memory: 1Gi}
                  limits: {memory: 1Gi}
                volumeMounts:
                  - {name: scenario, mountPath: /scenario}
                  - {name: parts, mountPath: /parts}
            volumes:
              - name: scenario
                configMap: {name: \(label)}
              - name: parts
                persistentVolumeClaim: {claimName: rehearse-parts}
      ---
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: \(label)-merge\(round > 1 ? "-\(round)" : "")
      spec:
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            securityContext: {runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000}
            containers:
              - name: merge
                image: rehearse:latest
                command: [/bin/sh, -c]
                args:
                  - >-
                    until [ "$(ls /parts/\(label) 2>/dev/null | grep -c '\(pattern)')" -ge \(parts) ]; do sleep 2; done;
                    exec rehearse merge /parts/\(label) --output /parts/\(label)-report
                resources:
                  requests: {cpu: "1", memory: 1Gi}
                  limits: {memory: 1Gi}
                volumeMounts:
                  - {name: parts, mountPath: /parts}
            volumes:
              - name: parts
                persistentVolumeClaim: {claimName: rehearse-parts}

      """
  }

  /// Parts of this round, for `grep`.
  private var pattern: String {
    (round > 1 ? "^round-\(round)-" : "^") + "[0-9]*-of-\(parts)[.]part$"
  }

  // MARK: - GitHub Actions

  private var github: String {
    let install = """
            - name: Install Rehearsal
              run: |
                mkdir ~/rehearse
                curl -sSfL "https://github.com/$TARBALL" | tar -xz -C ~/rehearse --strip-components=1
                echo ~/rehearse/bin >> "$GITHUB_PATH"
      """
    let numbers = (1...parts).map(String.init).joined(separator: ", ")
    return """
      # \(printable(name)) in \(parts) parts on GitHub Actions: a matrix, and a job that merges them.
      # Made by: \(origin(.github))
      name: \(YAMLText.quoted("Rehearse \(printable(name))"))
      on: workflow_dispatch
      env:
        TARBALL: OWNER/rehearsal/releases/download/v\(Version.text)/rehearse-\(Version.text)-linux-x86_64.tar.gz
      jobs:
        part:
          runs-on: ubuntu-latest
          strategy:
            fail-fast: false
            matrix:
              part: [\(numbers)]
          steps:
            - uses: actions/checkout@v4
      \(install)
            - run: rehearse run "$SCENARIO" --part ${{ matrix.part }}/\(parts)\(roundWords) --output parts
              env:
                SCENARIO: \(YAMLText.quoted(file))
            - uses: actions/upload-artifact@v4
              with:
                name: part-${{ matrix.part }}
                path: parts
        merge:
          needs: part
          runs-on: ubuntu-latest
          steps:
      \(install)
            - uses: actions/download-artifact@v4
              with:
                pattern: part-*
                path: parts
                merge-multiple: true
            - run: rehearse merge parts --output report
            - uses: actions/upload-artifact@v4
              if: always()
              with:
                name: report
                path: report

      """
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
